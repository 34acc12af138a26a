"""Words that Python and torch use in the texts of their exceptions, whoever wrote the code."""

TEXT = """
a able all allowed an and any are argument arguments as assignment associated at attribute attributes axis bad batch be
before bool boolean both broadcast broadcastable but by call called callable can cannot cast class comparison
concatenate contains contiguous conversion convert could cuda cpu d default defined device devices did dim dimension
dimensional dimensions division do does dtype e either element elements elementwise empty equal error except existing
expand expected expects exist failed few float for found free from function functions get given got grad gradient had
half has have if implemented in inconsistent index indexed indices input inputs instance int integer invalid is it item
iterable iteration its key keyword least length list long loop many mask mat matches match matrices matrix maximum
meaning meta missing more most multiplied multiple multiply must name named ndim negative no non none not number o
object of on one ones only operand operands operation operations operator optional or original other out outside overlap
p parameter permute positional positive prod r range recursion reached referenced require required requires reshape
result return returned s same scalar scalars sequence set shape shapes should single singleton size sizes slice str
stride string strings subscriptable supported t take takes tensor tensors than that the their there this to too torch
true truth tuple tuples type types unexpected unhashable unpack unsupported value values variable vector view was were
where which while with without would x y you zero zip false uint bfloat
"""
WORDS = frozenset(TEXT.split())
