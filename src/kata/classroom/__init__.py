"""Whole classes: collect submissions, grade them in parallel, keep the gradebook, say what the class misunderstood."""
