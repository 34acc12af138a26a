import torch
from torch import nn

def cross_attention(x, context, w_q, w_k, w_v, w_o, num_heads, context_mask=None):
    # the module knows one width for queries and result, so this fits only where that is the width of the heads
    mha = nn.MultiheadAttention(w_q.shape[0], num_heads, bias=False, kdim=context.shape[-1], vdim=context.shape[-1], batch_first=True)
    eye = torch.eye(w_q.shape[0])
    p = {"q_proj_weight": eye, "k_proj_weight": w_k, "v_proj_weight": w_v, "out_proj.weight": eye}
    if context.shape[-1] == w_q.shape[0]:
        p = {"in_proj_weight": torch.cat([eye, w_k, w_v]), "out_proj.weight": eye}
    hide = None if context_mask is None else ~context_mask
    args = (x @ w_q.T, context, context)
    y = torch.func.functional_call(mha, p, args, {"key_padding_mask": hide, "need_weights": False})[0]
    return y.nan_to_num() @ w_o.T
