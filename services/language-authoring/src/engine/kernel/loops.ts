import {
  add,
  addFloat,
  addFloats,
  addInts,
  advance,
  type Code,
  constant,
  f32,
  get,
  i32,
  lane,
  load,
  loadInt,
  loadSplat,
  multiply,
  multiplyFloats,
  multiplyPairs,
  type Routine,
  repeatBelow,
  set,
  shiftLeft,
  store,
  v128,
  zero,
} from './assembler.ts'

/** The inner loops of training, four floats at a time. */
export interface Loops {
  /**
   * y += x * factor for each row x, in order. `terms` has an address and a factor of four bytes each, and a multiple of four entries:
   * y is read and written once for four rows.
   */
  gather(terms: number, count: number, y: number, bytes: number): void
  /** y = y * shrink + x * factor, for each row y. `steps` has an address, a factor and a shrink each; at least one. */
  scatter(steps: number, count: number, x: number, bytes: number): void
  dot(x: number, y: number, bytes: number): number
  /**
   * C (m x n) += A (m x 2k) * B, in integers of 16 bits (A, B) and 32 bits (C). B is stored in panels of 16 columns with two rows
   * interleaved; m is even, n a multiple of 16.
   */
  gemm(a: number, b: number, c: number, m: number, k: number, n: number): void
}

const code = (...parts: Code[]): Code => parts.flat()
const endOf = (pointer: number, bytes: number, end: number): Code => code(get(pointer), get(bytes), add, set(end))

const [list, count, row, bytes] = [0, 1, 2, 3]
const listEnd = 4

function gatherRoutine(): Routine {
  const [rowEnd, out] = [5, 6]
  const rows = [7, 8, 9, 10]
  const factors = [11, 12, 13, 14]
  const sum = 15
  return {
    name: 'gather',
    parameters: [i32, i32, i32, i32],
    results: [],
    locals: [...new Array<number>(7).fill(i32), ...new Array<number>(5).fill(v128)],
    body: code(
      code(get(list), get(count), constant(3), shiftLeft, add, set(listEnd)),
      endOf(row, bytes, rowEnd),
      repeatBelow(
        list,
        listEnd,
        ...rows.map((x, i) => code(get(list), loadInt(i * 8), set(x))),
        ...factors.map((factor, i) => code(get(list), loadSplat(i * 8 + 4), set(factor))),
        code(get(row), set(out)),
        repeatBelow(
          out,
          rowEnd,
          ...[0, 16].map((at) =>
            code(
              code(get(out), load(at), set(sum)),
              ...rows.map((x, i) =>
                code(get(sum), get(x), load(at), get(factors[i] as number), multiplyFloats, addFloats, set(sum)),
              ),
              code(get(out), get(sum), store(at)),
            ),
          ),
          ...[out, ...rows].map((pointer) => advance(pointer, 32)),
        ),
        advance(list, 32),
      ),
    ),
  }
}

function scatterRoutine(): Routine {
  const [rowEnd, from, y, factor, shrink] = [5, 6, 7, 8, 9]
  return {
    name: 'scatter',
    parameters: [i32, i32, i32, i32],
    results: [],
    locals: [i32, i32, i32, i32, v128, v128],
    body: code(
      code(get(list), get(count), constant(12), multiply, add, set(listEnd)),
      endOf(row, bytes, rowEnd),
      repeatBelow(
        list,
        listEnd,
        code(get(list), loadInt(0), set(y)),
        code(get(list), loadSplat(4), set(factor)),
        code(get(list), loadSplat(8), set(shrink)),
        code(get(row), set(from)),
        repeatBelow(
          from,
          rowEnd,
          ...[0, 16].map((at) =>
            code(
              code(get(y), get(y), load(at), get(shrink), multiplyFloats),
              code(get(from), load(at), get(factor), multiplyFloats, addFloats, store(at)),
            ),
          ),
          advance(from, 32),
          advance(y, 32),
        ),
        advance(list, 12),
      ),
    ),
  }
}

const dot: Routine = {
  name: 'dot',
  parameters: [i32, i32, i32],
  results: [f32],
  locals: [v128, v128, i32],
  body: code(
    code(zero, set(3), zero, set(4)),
    endOf(0, 2, 5),
    repeatBelow(
      0,
      5,
      code(get(3), get(0), load(0), get(1), load(0), multiplyFloats, addFloats, set(3)),
      code(get(4), get(0), load(16), get(1), load(16), multiplyFloats, addFloats, set(4)),
      advance(0, 32),
      advance(1, 32),
    ),
    code(get(3), get(4), addFloats, set(3)),
    code(get(3), lane(0), get(3), lane(1), addFloat, get(3), lane(2), get(3), lane(3), addFloat, addFloat),
  ),
}

function gemmRoutine(): Routine {
  // Parameters, then locals.
  const [a, b, c, m, k, n] = [0, 1, 2, 3, 4, 5]
  const [rowBytes, outBytes, panelEnd, rowEnd, first, second, weights, weightsEnd, out, below2] = [
    6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  ]
  const sums = [16, 17, 18, 19, 20, 21, 22, 23]
  const panel = [24, 25, 26, 27]
  const spread = 28
  return {
    name: 'gemm',
    parameters: [i32, i32, i32, i32, i32, i32],
    results: [],
    locals: [...new Array<number>(10).fill(i32), ...new Array<number>(13).fill(v128)],
    body: code(
      code(get(k), constant(2), shiftLeft, set(rowBytes)),
      code(get(n), constant(2), shiftLeft, set(outBytes)),
      code(get(c), get(outBytes), add, set(panelEnd)),
      code(get(a), get(m), get(rowBytes), multiply, add, set(rowEnd)),
      repeatBelow(
        c,
        panelEnd,
        code(get(a), set(first), get(c), set(out)),
        repeatBelow(
          first,
          rowEnd,
          code(get(first), get(rowBytes), add, set(second)),
          code(get(out), get(outBytes), add, set(below2)),
          code(get(b), set(weights), get(b), get(k), constant(6), shiftLeft, add, set(weightsEnd)),
          ...sums.map((sum, i) => code(get(i < 4 ? out : below2), load((i % 4) * 16), set(sum))),
          repeatBelow(
            weights,
            weightsEnd,
            ...panel.map((four, i) => code(get(weights), load(i * 16), set(four))),
            ...[first, second].map((row, r) =>
              code(
                code(get(row), loadSplat(0), set(spread)),
                ...panel.map((four, i) => {
                  const sum = sums[r * 4 + i] as number
                  return code(get(sum), get(four), get(spread), multiplyPairs, addInts, set(sum))
                }),
                advance(row, 4),
              ),
            ),
            advance(weights, 64),
          ),
          ...sums.map((sum, i) => code(get(i < 4 ? out : below2), get(sum), store((i % 4) * 16))),
          // The next pair of rows begins where the second ended.
          code(get(second), set(first)),
          code(get(below2), get(outBytes), add, set(out)),
        ),
        code(get(weightsEnd), set(b)),
        advance(c, 64),
      ),
    ),
  }
}

export const routines = (): readonly Routine[] => [gatherRoutine(), scatterRoutine(), dot, gemmRoutine()]
