"""
Carries outbound TCP connections of this process to the platform's proxy, which decides about them. The sandbox has no network:
the node dials into /sockets/egress, and each connection serves one outbound one. Other programs use the same by HTTP_PROXY.
"""

import _socket
import errno
import os
import socket
import threading

PROXY_PORT = 3128
WAIT_SECONDS = 30
# Public address of the platform: in development, it is on the loopback of the node.
PLATFORM = os.environ.get("PLATFORM_ADDRESS")
connect = _socket.socket.connect
connect_ex = _socket.socket.connect_ex
getaddrinfo = socket.getaddrinfo
lock = threading.Lock()
names = []


def is_local(host):
    return host in ("", "localhost", "::1", "0.0.0.0", "::") or host.startswith("127.")


def is_address(host):
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
            return True
        except OSError:
            pass
    return False


def address_of(name):
    """An address that stands for a name, which only the proxy can resolve."""
    with lock:
        if name not in names:
            names.append(name)
        index = names.index(name)
    return "240.%d.%d.%d" % (index >> 16 & 255, index >> 8 & 255, index & 255)


def name_at(address):
    if not address.startswith("240."):
        return address
    _, a, b, c = (int(part) for part in address.split("."))
    index = a << 16 | b << 8 | c
    return names[index] if index < len(names) else address


def resolve(host, port, family=0, type=0, proto=0, flags=0):
    text = host.decode() if isinstance(host, bytes) else host
    if text is None or is_local(text) or is_address(text) or family == socket.AF_INET6:
        return getaddrinfo(host, port, family, type, proto, flags)
    return getaddrinfo(address_of(text), port, socket.AF_INET, type, proto, flags)


def carrier():
    """Takes a connection that the node has opened."""
    connection, _ = listener.accept()
    connection.setblocking(True)
    return connection


def tunnel(host, port):
    """Opens a tunnel through the proxy."""
    connection = carrier()
    authority = "%s:%d" % ("[%s]" % host if ":" in host else host, port)
    connection.sendall(("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (authority, authority)).encode("latin-1"))
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = connection.recv(1)  # nothing of the answer may be lost
        if not byte:
            raise ConnectionResetError(errno.ECONNRESET, "Connection reset: %s" % authority)
        head += byte
    status = int(head[9:12])
    if status == 200:
        return connection
    reason = connection.makefile("rb").read().decode("utf-8", "replace").strip()
    connection.close()
    kind = (PermissionError, errno.EACCES) if status == 403 else (ConnectionRefusedError, errno.ECONNREFUSED)
    raise kind[0](kind[1], reason)


def pump(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def join(a, b):
    def run():
        other = threading.Thread(target=pump, args=(b, a), daemon=True)
        other.start()
        pump(a, b)
        other.join()
        a.close()
        b.close()

    threading.Thread(target=run, daemon=True).start()


def open_door(host, port, is_waiting):
    """Gives a tunnel a local port, so that any kind of socket can connect to it."""
    connection = tunnel(host, port) if is_waiting else None
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    door.listen(1)
    door.settimeout(WAIT_SECONDS)

    def accept():
        client = None
        try:
            client, _ = door.accept()
            client.setblocking(True)
            join(client, connection or tunnel(host, port))
        except OSError:
            for end in (client, connection):
                if end:
                    end.close()
        finally:
            door.close()

    threading.Thread(target=accept, daemon=True).start()
    return door.getsockname()


def redirected(sock, address):
    if sock.family not in (socket.AF_INET, socket.AF_INET6) or not sock.type & socket.SOCK_STREAM:
        return address
    host = name_at(address[0])
    if is_local(host) and "%s:%d" % (host, address[1]) != PLATFORM:
        return address
    place = open_door(host, address[1], sock.gettimeout() != 0)
    return ("::ffff:127.0.0.1", place[1]) if sock.family == socket.AF_INET6 else place


def open_network():
    global listener
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("/sockets/egress")
    listener.listen(16)
    listener.settimeout(WAIT_SECONDS)
    proxy = socket.socket()
    proxy.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    proxy.bind(("127.0.0.1", PROXY_PORT))
    proxy.listen(64)

    def serve():
        while True:
            client, _ = proxy.accept()
            try:
                join(client, carrier())
            except OSError:
                client.close()

    threading.Thread(target=serve, daemon=True).start()
    socket.getaddrinfo = resolve
    socket.socket.connect = lambda self, address: connect(self, redirected(self, address))
    socket.socket.connect_ex = lambda self, address: connect_ex(self, redirected(self, address))
