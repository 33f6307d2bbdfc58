"""Installs the packages of /workspace/requirements.txt, and writes them to stdout as a compressed tar."""

import os
import runpy
import subprocess
import sys
from urllib.parse import urlsplit

from icosa_network import open_network

index, allows_scripts = sys.argv[1:]
output = os.dup(1)
os.dup2(2, 1)  # pip prints to stdout
open_network()
os.makedirs("/tmp/packages")
sys.argv = ["pip", "install", "--disable-pip-version-check", "--no-input", "--no-cache-dir", "--no-compile"]
sys.argv += ["--progress-bar", "off", "--no-warn-script-location", "--target", "/tmp/packages", "--index-url", index]
sys.argv += ["--requirement", "/workspace/requirements.txt"]
if urlsplit(index).scheme == "http":
    sys.argv += ["--trusted-host", urlsplit(index).netloc]
if allows_scripts != "true":
    sys.argv += ["--only-binary", ":all:"]
try:
    runpy.run_module("pip", run_name="__main__", alter_sys=True)
except SystemExit as end:
    if end.code:
        os._exit(1)
subprocess.run(["tar", "-czf", "-", "-C", "/tmp/packages", "."], stdout=output, check=True)
os._exit(0)
