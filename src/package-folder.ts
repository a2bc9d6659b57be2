import { existsSync } from 'node:fs';

/** The folder of the package: the nearest with a manifest, from this file upwards, in the sources as in what is built. */
export const PACKAGE_FOLDER: URL = packageFolder(new URL('.', import.meta.url));

function packageFolder(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : packageFolder(new URL('..', folder));
}
