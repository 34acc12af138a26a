"""What Python and torch say to everybody: sentences of exceptions, known word for word, so that they can tell no input.

A student chooses the words of an exception of their own, and so could spell an input with them. Of a text that begins
with one of these sentences only the sentence is told: numbers as #, and in a slot only what stands in their own file or
is a usual name. A sentence is written as torch writes it; {} is a slot, and any number will do where there is one.
"""

import re

SENTENCES = """
"{}" not implemented for '{}'
2D tensors expected, but got 1D and 2D tensors
'{}'
'{}' object cannot be interpreted as an integer
'{}' object does not support item assignment
'{}' object has no attribute '{}'
'{}' object is not callable
'{}' object is not iterable
'{}' object is not subscriptable
Boolean value of Tensor with more than one value is ambiguous
Boolean value of Tensor with no values is ambiguous
Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead
Dimension out of range (expected to be in range of [-2, 1], but got 5)
Expected all tensors to be on the same device
Expected attn_mask dtype to be bool or float or to match query dtype
Expected object of scalar type {} but got scalar type {} for second argument
Expected one of cpu, cuda
Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got {} instead
Given normalized_shape=[4], expected input with shape [*, 4], but got input of size[2, 3]
Inference tensors cannot be saved for backward
Inplace update to inference tensor outside InferenceMode is not allowed
Negation, the `-` operator, on a bool tensor is not supported
No module named '{}'
Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor
Only Tensors of floating point and complex dtype can require gradients
Padding length must be divisible by 2
Repeats must be non-negative
Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list
Subtraction, the `-` operator, with a bool tensor is not supported
Subtraction, the `-` operator, with two bool tensors is not supported
Tensor must have a last dimension of size 2
Tensor on device {} is not on the expected device {}
Tensors must have same number of dimensions: got 2 and 3
The differentiated Tensor at index 0 appears to not have been used in the graph
The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0
The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1
The shape of the mask [2, 3] at index 0 does not match the shape of the indexed tensor [3, 2] at index 0
Trying to backward through the graph a second time
Trying to create tensor with negative dimension -1
Value after * must be an iterable, not {}
a Tensor with 6 elements cannot be converted to Scalar
a leaf Variable that requires grad is being used in an in-place operation
a view of a leaf Variable that requires grad is being used in an in-place operation
all elements of input should be between 0 and 1
batch1 must be a 3D tensor
both arguments to matmul need to be at least 1D, but they are 0D and 2D
can only concatenate {} (not "{}") to {}
can only concatenate {} (not {}) to {}
can't convert {} device type tensor to numpy
can't multiply sequence by non-int of type '{}'
cannot access local variable '{}' where it is not associated with a value
cannot import name '{}' from '{}'
cannot unpack non-iterable {} object
chunk expects `chunks` to be greater than 0
could not convert string to float
dictionary changed size during iteration
division by zero
einsum(): subscript {} has size 2 for operand 1 which does not broadcast with previously seen size 3
einsum(): the number of subscripts in the equation (3) does not match the number of dimensions (2) for operand 0
element 0 of tensors does not require grad and does not have a grad_fn
expected a non-empty list of Tensors
expected m1 and m2 to have the same dtype, but got: {} != {}
expected scalar type {} but found {}
expected sequence of length 2 at dim 1 (got 1)
float division by zero
grad can be implicitly created only for scalar outputs
index 5 is out of bounds for dimension 0 with size 2
index out of range in self
integer division or modulo by zero
invalid index of a 0-dim tensor
invalid literal for int() with base 10
iteration over a 0-d tensor
len() of a 0-d tensor
list assignment index out of range
list index out of range
masked_fill_ only supports boolean masks, but got mask with dtype {}
mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)
math domain error
max(): Expected reduction dim to be specified
maximum recursion depth exceeded
maximum size for tensor at dimension 1 is 3 but size is 9
module '{}' has no attribute '{}'
n must be greater or equal to 0
name '{}' is not defined
not enough values to unpack (expected 3, got 2)
only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})
only one element tensors can be converted to Python scalars
output with shape [3] doesn't match the broadcast shape [2, 3]
permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering
pop from empty list
result type {} can't be cast to the desired output type {}
select(): index 5 out of range
self.size(-1) must be divisible by 2
shape '[4, 4]' is invalid for input of size 6
slice indices must be integers or None or have an __index__ method
split_with_sizes expects split_sizes to sum exactly to 2
stack expects a non-empty TensorList
stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [2, 2] at entry 1
start (1) + length (5) exceeds dimension size (2)
step must be nonzero
string index out of range
the derivative for '{}' is not implemented
too many indices for tensor of dimension 2
too many values to unpack (expected 2)
tuple index out of range
unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 1 (3) in the input tensor
unhashable type: '{}'
unsupported operand type(s) for {}: '{}' and '{}'
upper bound and lower bound inconsistent with step sign
value cannot be converted to type {} without overflow
vector + matrix @ vector expected, got 2
view size is not compatible with input tensor's size and stride
vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow
vmap: It looks like you're calling .item() on a Tensor
where expected condition to be a boolean tensor, but got a tensor with dtype {}
{}() arg is an empty sequence
{}() got an unexpected keyword argument '{}'
{}() got multiple values for argument '{}'
{}() missing 1 required positional argument: '{}'
{}() missing 1 required positional arguments: "{}"
{}() missing 2 required positional arguments: '{}' and '{}'
{}() received an invalid combination of arguments
{}() takes 1 positional argument but 2 were given
{}() takes 2 positional arguments but 3 were given
{}(): Expected reduction dim to be specified
{}(): Expected dtype int32/int64 for index
{}(): argument '{}' (position 1) must be Tensor, not {}
{}(): argument '{}' (position 1) must be tuple of ints, not {}
{}(): argument '{}' must be tuple of ints, not {}
{}(): argument '{}' must be Tensor, not {}
{}(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: {}
{}: Expected 1-D argument self, but got 2-D
{}: input tensor must have at least 2 dimensions
~ (operator.invert) is only implemented on integer and Boolean-type tensors
"""
USUAL = """
bool byte char short int long half float double complexfloat complexdouble complexhalf bfloat# c#::half c#::bfloat#
str list tuple dict set slice range generator function method type object nonetype builtin_function_or_method module
tensor torch torch.size torch.floattensor parameter numpy ndarray size device cpu cuda meta
dtype input other self dim dims mask attn_mask value values index indices weight condition query key end start
"""
NAMES = frozenset(USUAL.split())
NUMBER = re.compile(r"-?\d[\d.e+]*|\b(?:nan|inf)\b")
UNKNOWN = "…"
SLOT = r"([^!\s'\"(),]+)"


def masked(text: str) -> str:
    """A text without its numbers, of which several side by side are one, so that their count says nothing."""
    return re.sub(r"#(?:[\s,]*#)+", "#", NUMBER.sub("#", text))


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(SLOT.join(map(re.escape, masked(sentence).split("{}"))))


PATTERNS = tuple(map(_pattern, sorted(SENTENCES.strip().splitlines(), key=len, reverse=True)))


def said(text: str, source: str) -> str:
    """The sentence that a text begins with; "" where it is none of these."""
    plain = masked(text)
    found = next(filter(None, (pattern.match(plain) for pattern in PATTERNS)), None)
    if found is None:
        return ""
    own = set(re.findall(r"[\w#]+", masked(source).lower()))
    told, last = "", 0
    for begin, end in map(found.span, range(1, len(found.groups()) + 1)):
        name = plain[begin:end]
        usual, theirs = name.lower() in NAMES, name.lower() in own
        told += plain[last:begin] + (name if usual or theirs else UNKNOWN)
        own, last = own if usual or not theirs else set(), end  # one name of their own says enough
    return told + plain[last : found.end()]
