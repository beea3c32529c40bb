"""Renders with `mujoco.Renderer` in a loop, as a user would, in a process that a row asks.

Arguments: model, camera, width, height, and a core to run on. The numbers SECONDS RATE make it
render for this long, RATE images a second (0: as many as it can). It answers with the number of
images and the seconds.
"""

from __future__ import annotations

import os
import sys
import time

import mujoco

from .processes import answer


def main(path: str, camera: str, width: int, height: int, *core: int) -> None:
    """Renders on request until its input ends."""
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
