// A block of the page unpacks up to its limit, and a bomb stops at it.
import assert from 'node:assert/strict';
import test from 'node:test';
import {gzipSync} from 'node:zlib';

import {Bloated, unpack} from '../../../cli/page/view/unpack.mjs';

test('a block up to its limit is unpacked as it was', async () => {
  const data = Uint8Array.from({length: 200_000}, (_, at) => at % 251);
  assert.deepEqual(await unpack(gzipSync(data), data.length), data);
  assert.equal((await unpack(gzipSync(''), 0)).length, 0);
});

test('row 92: a block that unpacks to more than its limit is refused, and not unpacked to its end', async () => {
  await assert.rejects(unpack(gzipSync(new Uint8Array(1001)), 1000), Bloated);
  const bomb = gzipSync(new Uint8Array(64 * 1024 * 1024));
  assert.ok(bomb.length < 100_000);
  const before = process.memoryUsage().arrayBuffers;
  await assert.rejects(unpack(bomb, 1024 * 1024), Bloated);
  assert.ok(process.memoryUsage().arrayBuffers - before < 16 * 1024 * 1024);
});

test('what is no gzip, or is cut, is damage', async () => {
  const damage = (error) => !(error instanceof Bloated);
  await assert.rejects(unpack(new Uint8Array([1, 2, 3]), 1000), damage);
  await assert.rejects(unpack(gzipSync(new Uint8Array(1000)).subarray(0, 15), 1000), damage);
});
