"""An instance as a process of its own."""

import json
import os
import queue
import shlex
import shutil
import subprocess
import tempfile
import threading
from typing import Mapping, Optional, Sequence

from .http import IcosaError
from .instance import Icosa


def start(
    services: Optional[Sequence[str]] = None,
    env: Optional[Mapping[str, str]] = None,
    port: int = 0,
    command: Optional[Sequence[str]] = None,
    timeout: float = 120.0,
) -> Icosa:
    """Starts an instance with a PostgreSQL and a data folder of its own, which `close` deletes.

    services: names or letters, all by default; fewer start faster.
    env: settings, by their names in docs/operate/configuration.md.
    command: how to run Icosa. By default ICOSA_COMMAND, or `icosa` from the PATH, or npx.
    """
    arguments = [*(command or _command()), "dev", "--temporary", "--json", "--port", str(port)]
    if services is not None:
        arguments += ["--services", ",".join(services)]
    log = tempfile.TemporaryFile()
    # The instance ends with its stdin, even if this process is killed.
    process = subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        env={**os.environ, **(env or {})},
    )

    def close():
        process.stdin.close()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        log.close()

    try:
        line = _first_line(process, timeout)
        if not line:
            raise IcosaError(f"{shlex.join(arguments)} did not start:\n{_end_of(log)}")
        ready = json.loads(line)
        return Icosa(ready["url"], ready["platform"]["credentials"]["key"], on_close=close)
    except BaseException:
        close()
        raise


def _command() -> Sequence[str]:
    from . import __version__

    if os.environ.get("ICOSA_COMMAND"):
        return shlex.split(os.environ["ICOSA_COMMAND"])
    found = shutil.which("icosa")
    if found:
        return [found]
    npx = shutil.which("npx")
    if npx:
        return [npx, "--yes", f"icosa@{__version__}"]
    raise IcosaError("There is neither `icosa` nor `npx` on the PATH: install Node 24, or set ICOSA_COMMAND.")


def _first_line(process, timeout: float) -> bytes:
    lines: "queue.Queue[bytes]" = queue.Queue()
    threading.Thread(target=lambda: lines.put(process.stdout.readline()), daemon=True).start()
    try:
        return lines.get(timeout=timeout)
    except queue.Empty:
        process.kill()
        return b""


def _end_of(log) -> str:
    log.seek(0)
    return log.read()[-4_000:].decode(errors="replace")
