import type { Page } from 'playwright-core';

/** Types a name, and a type, and asks for them. */
export async function askFor(page: Page, name: string, type?: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  if (type !== undefined) await page.getByLabel('Type', { exact: true }).fill(type);
  await page.getByRole('button', { name: 'Traverse' }).click();
}

/** Waits for the verdict on a traversal. */
export async function verdict(page: Page, words: RegExp): Promise<void> {
  await page
    .locator('.headline-verdict')
    .filter({ hasText: unanchored(words) })
    .waitFor();
}

/** A mark stands before the words. */
function unanchored({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replace(/^\^/, '\\b'), flags);
}
