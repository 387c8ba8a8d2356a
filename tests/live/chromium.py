"""Debian's Chromium without a window, driven as a person uses it, and without a network."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.live.servers import program

PHONE = {"width": 390, "height": 844, "pixelRatio": 2.0}
_OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--window-size=1300,900",
)


@dataclass(frozen=True)
class Browser:
    """A browser with one page."""

    driver: webdriver.Chrome

    def open(self, file: Path) -> None:
        """Open a file from the disk; forget what the page before said."""
        self.driver.get(file.as_uri())
        # The sheet of the page before would be taken over.
        self.driver.execute_script("sessionStorage.clear()")
        self.driver.get(file.as_uri())
        self.complaints()

    def prefer(self, scheme: str) -> None:
        """Show pages as to a person who wants them ``light`` or ``dark``."""
        wanted = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)

    def forget(self) -> None:
        """Show pages again as to a person who has no wishes, in a window of the first size."""
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.complaints()

    def complaints(self) -> list[str]:
        """Return the errors of scripts and violations of the policy since the last call."""
        entries: Any = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [str(entry["message"]) for entry in entries]

    def find(self, selector: str) -> WebElement:
        """Return the first element of a CSS selector."""
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        """Return all elements of a CSS selector."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, element: WebElement) -> None:
        """Click an element, also one outside the window."""
        self.driver.execute_script("arguments[0].click()", element)

    def text(self, selector: str) -> str:
        """Return the visible text of an element."""
        return self.find(selector).text

    def search(self, words: str) -> None:
        """Type into the search field and press Enter."""
        field = self.find("#search")
        field.clear()
        field.send_keys(words, Keys.ENTER)

    def button(self, label: str) -> WebElement:
        """Return the button with a label."""
        (found,) = [each for each in self.all("button") if each.text == label]
        return found

    def place(self, key: str) -> WebElement:
        """Return the drawing of a place on the map."""
        return self.driver.find_element(By.XPATH, f"//*[local-name()='text' and .='{key}']")

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def focus(self) -> str:
        """Return the id of the element that has the focus, or its text."""
        element = self.driver.switch_to.active_element
        return element.get_attribute("id") or element.text

    def turn_to(self, turn: int) -> None:
        """Press the buttons at the slider until it shows a turn."""
        while (shown := int(self.text("#shown"))) != turn:
            self.find("#earlier" if turn < shown else "#later").click()

    def findings(self) -> list[str]:
        """Return what axe-core finds on the page as it is now."""
        found: Any = Axe().run(self.driver)
        return [
            f"{each['id']}: {node['html']}"
            for each in found["violations"]
            for node in each["nodes"]
        ]


@contextmanager
def chromium(folder: Path, *, phone: bool = False) -> Iterator[Browser]:
    """Run Chromium with a profile in *folder*; skip the test if there is none."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(program("chromium", "Chromium", "chromium"))
    driver = str(program("chromedriver", "The driver of Chromium", "chromium-driver"))
    for option in (*_OPTIONS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(option)
    if phone:
        emulated = {"deviceMetrics": PHONE, "clientHints": {"platform": "Android", "mobile": True}}
        options.add_experimental_option("mobileEmulation", emulated)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
        yield Browser(browser)
    finally:
        browser.quit()


__all__ = ["Browser", "Keys", "chromium"]
