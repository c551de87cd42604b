// What the page holds: blocks of base64 of gzip, in elements that no browser runs.

// The bytes of a block of the page.
export async function unpackBlock(identifier) {
  const packed = Uint8Array.from(atob(document.getElementById(identifier).textContent.trim()), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The words and facts of the page.
export async function unpackTold() {
  return JSON.parse(new TextDecoder().decode(await unpackBlock('told')));
}
