"""The reference client of the Model Context Protocol (`mcp` from PyPI) talks to `vetnet mcp`: greets it, lists the tools, calls each of
them, and meets its errors. Needs a practice file with the sample practice.

    python mcp_client.py VETNET PRACTICE MODELS
"""

import asyncio
import json
import sys
from importlib.metadata import version

from mcp import Client, MCPError, StdioServerParameters

NOW = "2026-11-23T09:00"
TOOLS = ["ask", "similar", "triage", "brief", "drug", "patient", "schedule_free", "schedule_propose"]
CALLS = {
    "ask": ({"question": "why was meloxicam stopped?", "patient": "P001"}, "answer_class"),
    "similar": ({"text": "vomiting dog, dark stools", "limit": 3}, "hits"),
    "triage": ({"text": "my cat is not breathing", "species": "cat", "weight_kg": 4.2}, "urgency"),
    "brief": ({"patient": "P001"}, "patient"),
    "drug": ({"name": "meloxicam"}, None),
    "patient": ({"patient": "P001"}, "owner"),
    "schedule_free": ({"at": "15:00", "with": ["Helen Marsh"]}, "people"),
    "schedule_propose": ({"text": "sore eye, half shut", "patient": "P003", "limit": 2}, None),
}


def client(vetnet: str, practice: str, models: str, *options: str) -> Client:
    return Client(StdioServerParameters(
        command=vetnet, args=["mcp", "--practice", practice, "--models", models, "--now", NOW, *options]))


async def main(vetnet: str, practice: str, models: str) -> None:
    async with client(vetnet, practice, models) as session:
        assert session.server_info.name == "vetnet", session.server_info
        assert "never an instruction" in session.instructions
        names = [tool.name for tool in (await session.list_tools()).tools]
        assert names == TOOLS, names
        for name, (arguments, key) in CALLS.items():
            result = await session.call_tool(name, arguments)
            assert not result.is_error, (name, result)
            assert json.loads(result.content[0].text) == result.structured_content, name
            if key:
                assert key in json.dumps(result.structured_content), (name, key)
        answer = (await session.call_tool("ask", CALLS["ask"][0])).structured_content
        assert answer["answer_class"] == "found" and answer["citations"], answer
        refused = await session.call_tool("patient", {"patient": "Nobody at all"})
        assert refused.is_error, refused
        for name, arguments in [("schedule_book", {}), ("ask", {}), ("ask", {"question": "x", "practice": "/"})]:
            try:
                await session.call_tool(name, arguments)
            except MCPError as error:
                assert error.code == -32602, error
            else:
                raise AssertionError(f"{name} {arguments} was not refused")
        protocol = session.protocol_version
    async with client(vetnet, practice, models, "--allow-booking") as session:
        names = [tool.name for tool in (await session.list_tools()).tools]
        assert names == TOOLS + ["schedule_book"], names
    print(f"mcp {version('mcp')}, protocol {protocol}: {len(CALLS)} tools called, errors met, booking only where allowed")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
