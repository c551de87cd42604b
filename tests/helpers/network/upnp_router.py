"""A small Internet Gateway Device: SSDP by multicast, a description, and the actions that a mapping takes.

Only for namespaces that a test makes: its search is multicast.
"""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

import trio

from tests.helpers.network.routers import Table

Answer: TypeAlias = Callable[[trio.SocketStream], Awaitable[None]]
_GROUP: Final = "239.255.255.250"
_HTTP: Final = 5000
_DEVICE: Final = "urn:schemas-upnp-org:device:InternetGatewayDevice:1"
_SERVICE: Final = "urn:schemas-upnp-org:service:WANIPConnection:1"


def _device(kind: str, inner: str) -> str:
    return (
        f"<device><deviceType>urn:schemas-upnp-org:device:{kind}:1</deviceType>"
        f"<friendlyName>small</friendlyName><UDN>uuid:{kind}</UDN>{inner}</device>"
    )


_CONNECTION: Final = _device(
    "WANConnectionDevice",
    f"<serviceList><service><serviceType>{_SERVICE}</serviceType><serviceId>urn:upnp-org:serviceId:WANIPConn1"
    "</serviceId><controlURL>/control</controlURL><eventSubURL>/event</eventSubURL><SCPDURL>/scpd.xml</SCPDURL>"
    "</service></serviceList>",
)
DESCRIPTION: Final = (
    '<?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0"><specVersion><major>1</major>'
    "<minor>0</minor></specVersion>"
    + _device(
        "InternetGatewayDevice",
        f"<deviceList>{_device('WANDevice', f'<deviceList>{_CONNECTION}</deviceList>')}</deviceList>",
    )
    + "</root>"
)


async def endless(stream: trio.SocketStream) -> None:
    """Instead of answering, describe devices within devices without an end."""
    with suppress(trio.BrokenResourceError):
        await stream.send_all(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n" + DESCRIPTION[:-7].encode()
        )
        while True:
            await stream.send_all(b"<device><deviceList>" * 4096)
    await stream.aclose()


async def silent(stream: trio.SocketStream) -> None:
    """Take the question, and say nothing."""
    with suppress(trio.BrokenResourceError):
        while await stream.receive_some(4096):
            pass
    await stream.aclose()


async def serve(nursery: trio.Nursery, table: Table, inside: str, answer: Answer | None = None) -> None:
    """Be found and asked, until the nursery is cancelled; `answer`: what a hostile one does instead."""
    searching = trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM)
    searching.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    await searching.bind((_GROUP, 1900))
    group = struct.pack("4s4s", socket.inet_aton(_GROUP), socket.inet_aton(inside))
    searching.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
    nursery.start_soon(_found, searching, inside)
    listeners = await trio.open_tcp_listeners(_HTTP, host=inside)
    nursery.start_soon(trio.serve_listeners, answer or partial(_asked, table=table), listeners)


async def _found(searching: trio.socket.SocketType, inside: str) -> None:
    with searching:
        while True:
            data, where = await searching.recvfrom(2048)
            if b"InternetGatewayDevice:1" in data:
                answer = (
                    "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=120\r\n"
                    f"LOCATION: http://{inside}:{_HTTP}/root.xml\r\nST: {_DEVICE}\r\n"
                    f"USN: uuid:small::{_DEVICE}\r\nEXT:\r\nSERVER: small\r\n\r\n"
                )
                await searching.sendto(answer.encode(), where)


async def _asked(stream: trio.SocketStream, table: Table) -> None:
    data = b""
    with trio.move_on_after(5.0):
        while b"\r\n\r\n" not in data:
            data += bytes(await stream.receive_some(4096)) or b"\r\n\r\n"
        head, _, body = data.partition(b"\r\n\r\n")
        size = re.search(rb"(?i)content-length:\s*(\d+)", head)
        while size is not None and len(body) < int(size[1]):
            body += bytes(await stream.receive_some(4096))
        action = re.search(rb'(?i)soapaction:\s*"[^#"]*#(\w+)"', head)
        client = stream.socket.getpeername()[0]
        status, text = ("200 OK", DESCRIPTION) if b" /root.xml " in head else ("404 Not Found", "")
        if action is not None:
            status, text = _act(table, action[1].decode(), body.decode(), client)
        answer = f"HTTP/1.1 {status}\r\nContent-Type: text/xml\r\nContent-Length: {len(text)}\r\n"
        await stream.send_all(f"{answer}Connection: close\r\n\r\n{text}".encode())
    await stream.aclose()


def _act(table: Table, action: str, body: str, client: str) -> tuple[str, str]:
    given = dict(re.findall(r"<(New\w+)[^>]*>([^<]*)<", body))
    at = int(given.get("NewExternalPort", 0))
    if action == "GetExternalIPAddress":
        return _said(action, NewExternalIPAddress=table.outside)
    if action == "GetStatusInfo":
        return _said(action, NewConnectionStatus="Connected", NewLastConnectionError="", NewUptime="1")
    if action == "GetSpecificPortMappingEntry":
        if at not in table.rows:
            return _fault(714)
        host, port, lease = table.rows[at]
        return _said(
            action,
            NewInternalPort=str(port),
            NewInternalClient=host,
            NewEnabled="1",
            NewPortMappingDescription="x",
            NewLeaseDuration=str(lease),
        )
    if action == "AddPortMapping":
        lease = int(given["NewLeaseDuration"])
        table.open(given["NewInternalClient"], int(given["NewInternalPort"]), at, lease)
        return _said(action)
    if action == "DeletePortMapping" and at in table.rows:
        table.close(*table.rows[at][:2])
        return _said(action)
    return _fault(714)


def _said(action: str, **values: str) -> tuple[str, str]:
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in values.items())
    return "200 OK", _envelope(f'<u:{action}Response xmlns:u="{_SERVICE}">{inner}</u:{action}Response>')


def _fault(code: int) -> tuple[str, str]:
    error = f'<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>{code}</errorCode></UPnPError>'
    return "500 Internal Server Error", _envelope(
        "<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring>"
        f"<detail>{error}</detail></s:Fault>"
    )


def _envelope(inner: str) -> str:
    return (
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
        's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">'
        f"<s:Body>{inner}</s:Body></s:Envelope>"
    )
