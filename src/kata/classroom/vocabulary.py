"""Words that Python and torch use in the texts of their exceptions, whoever wrote the code."""

TEXT = """
__index__ a able access across add after all allow_unused allowed already ambiguous an and any appears arange are arg
argmax argument arguments around as assignment associated at attempting attn_mask attribute attributes autograd axis b
backward bad base batch be been before behavior being bfloat bitwise_and_cpu bool boolean both bound bounds broadcast
broadcastable bug builtin_function_or_method but by byte c call callable called calling can cannot cast cat checking
chunk chunks class clone com combination comparison compatible complex computation concatenate condition contains
contiguous control conversion convert converted cos could cpu create created cuda cumsum d data default defined
dependent depth desired detach device devices did differentiated dim dimension dimensional dimensions dims directly
div divisible division do does doesn doing don double dtype e each einsum either element elements elementwise ellipsis
embedding empty enough entry equal equation error exactly exceeded exceeds except exist existing exp expand expanded
expected expects failed false few file float floating floattensor flow following for found free freed from full
function functions gather get github given got grad grad_fn gradient graph greater had half has have https i if
implemented implicitly in inconsistent index indexed indices infer inference inference_mode input inputs inside
instance instead int integer integers intermediate internals interpreted ints invalid invert is issue issues it item
iterable iteration its j key keys keyword lambda last layer_norm leaf least len length like linear list literal local
locals log logical_not logical_xor long looks loop lower m make many mask masked_fill_ masks mat match matches matmul
matrices matrix max maximum mean meaning meta method min missing mode module more most mul multiple multiplied
multiply must n name named ndim need negation negative new no no_grad non none nonetype nonzero normal
normalized_shape not number numel numpy o object occurring of on one ones only operand operands operation operations
operator optional or ordering original other out outer output outputs outside over overlap p padding parameter permute
place please point position positional positive pow previously prod provided python pytorch query r range re reached
received recursion reduction referenced repeat repeats report require required requires reshape result retain_graph
return returned rewrite s same saved scalar scalars second seen self sequence set shape shapes should sign sin single
singleton size sizes slice slices smaller softmax softmax_lastdim_kernel_impl some somewhere spans sparse_coo
specified specify split_sizes split_with_sizes sqrt squeeze stack start step str stride string strings sub subscript
subscriptable subscripts subspaces subtraction sum support supported supports t take takes target tensor tensorlist
tensors than that the their there they this through time to too torch tracked transpose tril triu true truth try
trying tuple tuples two type types uint unbound unexpected unflatten unhashable unpack unsqueeze unsupported up upper
use used valid value values variable variables vector view vmap was we were what when where where_ which while with
without work would x y yet you zero zeros zip
"""
WORDS = frozenset(TEXT.split())
