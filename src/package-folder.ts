import { existsSync } from 'node:fs';

/** Where the package is: the nearest folder above this code that has a package.json, whether it was built or not. */
export const PACKAGE_FOLDER: URL = nearest(new URL('..', import.meta.url));

function nearest(folder: URL): URL {
  const above = new URL('..', folder);
  return existsSync(new URL('package.json', folder)) || above.href === folder.href ? folder : nearest(above);
}
