"""Formulas between dollar signs, as a terminal can show them: Greek letters, raised and lowered characters."""

import re

CODE = re.compile(r"(```.*?```|`[^`\n]*`|^(?: {4}|\t)[^\n]*$)", re.S | re.M)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\w$])\$([^$\n]+?)\$(?!\w)", re.S)
TABLE = """
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta θ iota ι kappa κ lambda λ mu μ nu ν
xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π
Sigma Σ Phi Φ Psi Ψ Omega Ω cdot · cdots ⋯ ldots … dots … times × odot ⊙ otimes ⊗ oplus ⊕ pm ± mp ∓ leq ≤ le ≤ geq ≥
ge ≥ neq ≠ ne ≠ approx ≈ equiv ≡ sim ∼ propto ∝ infty ∞ partial ∂ nabla ∇ sum ∑ prod ∏ int ∫ in ∈ notin ∉ subset ⊂
cup ∪ cap ∩ forall ∀ exists ∃ to → rightarrow → leftarrow ← Rightarrow ⇒ mapsto ↦ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋
lceil ⌈ rceil ⌉ mid | lVert ‖ rVert ‖ Vert ‖ top ᵀ prime ′ star ⋆ circ ∘ ll ≪ gg ≫
"""
PAIRS = TABLE.split()
SYMBOLS = dict(zip(PAIRS[::2], PAIRS[1::2], strict=True)) | {"quad": " ", "qquad": "  "}
RAISED = dict(
    zip("0123456789+-=()niTabcdefghjklmoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)
)
LOWERED = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
GROUP = r"\{([^{}]*)\}"
MOVED = rf"(?:{GROUP}|(\\[a-zA-Z]+|[\w*]))"
UP, DOWN = "\ue000", "\ue001"  # stand for ^ and _ that stay


def readable(markdown: str) -> str:
    """Markdown whose formulas are plain characters; code stays as it is."""
    parts = CODE.split(markdown)
    parts[::2] = [FORMULA.sub(lambda m: formula(m[1] or m[2]), part) for part in parts[::2]]
    return "".join(parts)


def formula(tex: str) -> str:
    """A formula in LaTeX as one line of characters."""
    text = re.sub(r"\\(?:left|right|big|Big|displaystyle|,|;|!|:)(?![a-zA-Z])", "", tex.strip())
    text = re.sub(r"\\(?:text|mathrm|mathbf|mathbb|mathcal|operatorname|boldsymbol)\s*" + GROUP, r"\1", text)
    before = ""
    while before != text:  # from the innermost braces outwards
        before = text
        text = re.sub(r"\\d?frac\s*" + GROUP + r"\s*" + GROUP, lambda m: f"{_grouped(m[1])}/{_grouped(m[2])}", text)
        text = re.sub(r"\\sqrt\s*" + GROUP, lambda m: f"√{_grouped(m[1])}", text)
        text = re.sub(r"\^\s*" + MOVED, lambda m: _moved(m[1] or m[2], RAISED, UP), text)
        text = re.sub(r"_\s*" + MOVED, lambda m: _moved(m[1] or m[2], LOWERED, DOWN), text)
    text = _symbols(text).replace(UP, "^").replace(DOWN, "_")
    return re.sub(r"\s+", " ", re.sub(r"[{}\\]", "", text)).strip()


def _symbols(text: str) -> str:
    return re.sub(r"\\([a-zA-Z]+)", lambda m: SYMBOLS.get(m[1], m[1]), text)


def _grouped(text: str) -> str:
    return text if re.fullmatch(r"\w+|[^\s+\-·/]+", text.strip()) else f"({text.strip()})"


def _moved(text: str, table: dict[str, str], sign: str) -> str:
    """A raised or lowered text, where there is a character for each of its own; else written out."""
    plain = _symbols(text).replace("−", "-").replace("ᵀ", "T")
    if all(character in table for character in plain):
        return "".join(table[character] for character in plain)
    return f"{sign}{_grouped(plain)}"
