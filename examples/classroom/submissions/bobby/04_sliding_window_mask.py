import torch

print("<script>document.title = 'owned'</script><img src=http://example.invalid/x.png>")
print("\033]0;owned\007\033[2J")


def sliding_window_mask(q_len, k_len, window, device=None):
    raise RuntimeError("<img src=x onerror=alert(1)> =HYPERLINK(1) ::error::")
