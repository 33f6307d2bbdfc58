"""Fixtures of pytest: one instance for all tests, and a tenant for each."""

import itertools
import os

import pytest

from .instance import connect
from .process import start


def pytest_addoption(parser):
    parser.addini("icosa_services", "Services of the instance, by name or letter; all by default.", type="args")


@pytest.fixture(scope="session")
def icosa(pytestconfig):
    """One instance for all tests. ICOSA_URL and ICOSA_KEY name a running one instead."""
    url = os.environ.get("ICOSA_URL")
    services = pytestconfig.getini("icosa_services") or None
    app = connect(url, os.environ.get("ICOSA_KEY", "icosa-dev-key")) if url else start(services)
    with app:
        yield app


_numbers = itertools.count(1)


@pytest.fixture
def icosa_tenant(icosa):
    """A tenant of this test alone: the fastest way to begin with nothing."""
    return icosa.tenant(f"test-{os.getpid()}-{next(_numbers)}")


@pytest.fixture
def icosa_reset(icosa):
    """The instance for a test that moves its clock or injects faults; it is reset afterwards."""
    yield icosa
    icosa.reset()
