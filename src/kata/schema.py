"""The JSON Schema of a Report: `python -m kata.schema > docs/report.schema.json`."""

import sys

import msgspec

from kata.model import Report


def report_schema() -> bytes:
    """The schema as indented JSON with a final newline."""
    schema = msgspec.json.schema(Report)
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "kata.report/1", **schema}
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"


if __name__ == "__main__":
    sys.stdout.write(report_schema().decode())
