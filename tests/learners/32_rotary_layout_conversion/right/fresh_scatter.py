import torch

def rotary_layout_conversion(weight, num_heads, to):
    if to not in ["half", "interleaved"]:
        raise ValueError("bad to")
    rows = weight.shape[0]
    if num_heads < 1 or rows % num_heads or rows // num_heads % 2:
        raise ValueError("bad sizes")
    half = rows // num_heads // 2
    idx = torch.arange(rows, device=weight.device).reshape(num_heads, half, 2)
    order = torch.cat([idx[..., 0], idx[..., 1]], dim=1).flatten()
    if to == "half":
        return weight[order]
    return torch.zeros_like(weight).index_copy(0, order, weight)
