// Where this practice lies on its server: "" where it is served alone, "/p/NAME" among several. Scripts come from below it, too.

export const base = new URL(import.meta.url).pathname.replace(/\/assets\/.*$/, "");

/** An address of this practice as the server knows it; one that is so already stays as it is. */
export const at = (path) => (path.startsWith("/") && !path.startsWith(base + "/") ? base + path : path);

/** The page that is shown, as the practice's own addresses name it. */
export const here = () => location.pathname.slice(base.length) || "/";
