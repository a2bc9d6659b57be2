/** Where the package is: the folder above `dist` when it has been built, above `src` when it runs from source. */
export const PACKAGE_FOLDER: URL = new URL('..', import.meta.url);
