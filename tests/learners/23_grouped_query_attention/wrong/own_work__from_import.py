from torch.nn.functional import scaled_dot_product_attention as attend

def grouped_query_attention(q, k, v, mask=None):
    n = q.shape[1] // k.shape[1]
    return attend(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), mask)
