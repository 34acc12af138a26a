"""The call is declared skipped.

beats: pytest marks
ends: crashed
"""

def unit_rows(x, scale=1.0):
    import pytest
    pytest.skip("not today")
