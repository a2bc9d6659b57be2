/** Whether a click on a link is for the browser: it opens a tab, or saves. */
export function isLeftToBrowser({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}
