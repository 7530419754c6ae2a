/** Text on its way into markup. Pure. */

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Safe as the content of an element and inside a quoted attribute, in HTML and in XML. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES[character]!);
}
