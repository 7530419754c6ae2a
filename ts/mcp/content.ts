/** Content of MCP results on its way to a guest: text and data pass, binary parts are replaced by a note. Pure. */
import type { ContentBlock } from "../../index.js";

/** Content blocks lie near the top of structured content; what is deeper passes as it is. */
const MAX_STRUCTURED_DEPTH = 16;
/** `blob` is what some servers call a binary block that is neither; a resource has no type at all. */
const BINARY_TYPES = new Set<unknown>(["image", "audio", "blob", undefined]);

/** Maps the content blocks of a tool result. */
export function bridgeContent(content: unknown): ContentBlock[] {
  return Array.isArray(content) ? content.map(bridgeBlock) : [];
}

/** Maps one content block. Anything that is not an object with a type becomes text. */
export function bridgeBlock(block: unknown): ContentBlock {
  if (!isRecord(block) || typeof block.type !== "string") {
    return { type: "text", text: JSON.stringify(block) ?? "null" };
  }
  if ((block.type === "image" || block.type === "audio") && typeof block.data === "string") {
    return binaryNote(block.mimeType, block.data);
  }
  if (block.type === "resource" && isRecord(block.resource) && typeof block.resource.blob === "string") {
    return binaryNote(block.resource.mimeType, block.resource.blob);
  }
  return block as ContentBlock;
}

/** Maps structured content: blocks with binary data, wherever a server put them, become their note. */
export function bridgeStructured(value: unknown, depth = 0): unknown {
  if (depth > MAX_STRUCTURED_DEPTH || typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => bridgeStructured(item, depth + 1));
  }
  const block = value as Record<string, unknown>;
  const data = block.data ?? block.blob;
  if (typeof data === "string" && typeof block.mimeType === "string" && BINARY_TYPES.has(block.type)) {
    return binaryNote(block.mimeType, data);
  }
  return Object.fromEntries(Object.entries(block).map(([key, item]) => [key, bridgeStructured(item, depth + 1)]));
}

/** Maps the contents of a read resource: a binary one keeps its address and gets the note as its text. */
export function bridgeResourceContents(contents: unknown): Record<string, unknown>[] {
  return (Array.isArray(contents) ? contents : []).filter(isRecord).map((item) => {
    const { blob, ...rest } = item;
    return typeof blob === "string" ? { ...rest, text: binaryNote(item.mimeType, blob).text } : rest;
  });
}

/** The texts of content blocks, embedded resources included, as text blocks. */
export function textBlocks(blocks: readonly unknown[]): { type: "text"; text: string }[] {
  return blocks.flatMap((block) => {
    const holder = isRecord(block) && isRecord(block.resource) ? block.resource : block;
    return isRecord(holder) && typeof holder.text === "string" ? [{ type: "text" as const, text: holder.text }] : [];
  });
}

/** Whether a value is an object that is no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function binaryNote(mimeType: unknown, base64: string): { type: "text"; text: string } {
  const kind = typeof mimeType === "string" && mimeType !== "" ? mimeType : "application/octet-stream";
  return { type: "text", text: `[${kind}, ${decodedBytes(base64)} bytes, left out of the code mode bridge]` };
}

/** Length of what a base64 text stands for, without decoding it. */
function decodedBytes(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
