"""The script that adapts Studio's page: its paths, and its frame rate without a GPU."""

PAGE_SCRIPT = """\
<script>
  // Adds the token to paths that the page requests from the root.
  (() => {
    const base = location.pathname.replace(/[^/]*$/, '');
    const inside = (address) => {
      const url = new URL(address, location.href);
      if (url.host === location.host && !url.pathname.startsWith(base)) {
        url.pathname = base + url.pathname.slice(1);
      }
      return url.href;
    };
    const { fetch, WebSocket } = window;
    window.fetch = (what, options) =>
      fetch(typeof what === 'string' ? inside(what) : what, options);
    window.WebSocket = class extends WebSocket {
      constructor(address, protocols) {
        super(inside(address), protocols);
      }
    };
  })();

  // A browser without a GPU renders on the cores that the simulation needs. Limit it to five
  // frames per second, except while the user moves the mouse or presses keys.
  (() => {
    const gl = document.createElement('canvas').getContext('webgl2');
    const info = gl && gl.getExtension('WEBGL_debug_renderer_info');
    const renderer = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '';
    gl?.getExtension('WEBGL_lose_context')?.loseContext();
    if (!/swiftshader|llvmpipe|softpipe|software/i.test(renderer)) return;
    const { requestAnimationFrame } = window;
    let touched = performance.now(), drawn = 0;
    const touch = () => { touched = performance.now(); };
    for (const kind of ['mousemove', 'mousedown', 'mouseup', 'wheel', 'keydown', 'keyup']) {
      window.addEventListener(kind, touch, { capture: true, passive: true });
    }
    window.requestAnimationFrame = (draw) => {
      const now = performance.now();
      const wait = now - touched < 1000 ? 0 : drawn + 200 - now;
      const next = () => requestAnimationFrame((time) => {
        drawn = performance.now();
        draw(time);
      });
      return wait > 0 ? setTimeout(next, wait) : next();
    };
  })();
</script>
"""
"""The script at the beginning of the page, before Studio's scripts."""
