"""Small experiments that test what is usually repeated; they run in the judge's process, where torch is."""
