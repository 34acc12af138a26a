"""The one process that imports torch, the children that it forks, and the wire between them."""
