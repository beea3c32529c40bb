"""Renders with `mujoco.Renderer` in a loop, like a user's script, on request of a row.

Arguments: model, camera, width, height, and optionally a core. A request is a line SECONDS RATE:
render RATE images per second for SECONDS (0: as fast as possible). The answer is the number of
images and the elapsed seconds.
"""

from __future__ import annotations

import os
import sys
import time

import mujoco

from .processes import answer


def main(path: str, camera: str, width: int, height: int, *core: int) -> None:
    """Answers requests until the input ends."""
    if core:
        os.sched_setaffinity(0, core)
    model = mujoco.MjModel.from_xml_path(path)
    model.vis.quality.offsamples = 0
    data = mujoco.MjData(model)
    renderer = mujoco.Renderer(model, height, width)
    for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
        renderer.scene.flags[flag] = False

    def render(seconds: float, rate: float) -> tuple[int, float]:
        mujoco.mj_resetData(model, data)
        start, images = time.perf_counter(), 0
        while (passed := time.perf_counter() - start) < seconds:
            if rate and passed < images / rate:
                time.sleep(min(images / rate - passed, seconds - passed))
                continue
            mujoco.mj_step(model, data)
            renderer.update_scene(data, camera)
            renderer.render()
            images += 1
        return images, passed

    answer(render)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
