import torch
from torch import Tensor


class Accumulator:
    def __call__(self, loss_sum_fn, params: dict[str, Tensor], micro_batches) -> tuple[dict[str, Tensor], float]:
        copies = {name: p.clone().requires_grad_() for name, p in params.items()}
        sums = {
            name: p.new_zeros(p.shape).to(torch.promote_types(p.dtype, torch.float32)) for name, p in params.items()
        }
        seen, value = 0, 0.0
        for batch in micro_batches:
            if batch[1].shape[0]:
                n, s = self.one(loss_sum_fn, copies, batch, sums)
                seen, value = seen + n, value + s
        scale = 1.0 / seen if seen else 0.0
        return {name: (total * scale).to(params[name].dtype) for name, total in sums.items()}, value * scale

    def one(self, loss_sum_fn, copies, batch, sums):
        loss, n = loss_sum_fn(copies, *batch)
        loss.backward()
        for name, p in copies.items():
            if p.grad is not None:
                sums[name] += p.grad
                p.grad = None
        return n, loss.item()


gradient_accumulation = Accumulator()
