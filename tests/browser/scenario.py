"""What a scenario is."""

import dataclasses
import typing

from app import App


@dataclasses.dataclass(frozen=True)
class Scenario:
    """One server, its pages, and what people do there."""

    # Pictures begin with it.
    name: str
    # Makes what is served in a folder, and gives the arguments of the program.
    make: typing.Callable
    # Names and paths of pages: a function of bench, app and browser page, which may look for ids first.
    pages: typing.Callable
    # What people do by keyboard: functions of bench, app and browser page. They assert.
    paths: tuple = ()
    # Makes more pictures of a page: a function of the browser page and of what takes one.
    also: typing.Callable | None = None
    # Whether what it needs is here; it says what it skips.
    wants: typing.Callable = lambda bench: True
    # What stands between the program and the browser: a server, or a file.
    app: typing.Callable = App
    # Whether it runs without CI_FULL=1.
    smoke: bool = False
