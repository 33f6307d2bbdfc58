import { expect, test } from 'vitest'
import { Products } from '../embed/products.ts'
import { Random } from '../text/random.ts'
import { Kernel, Terms } from './kernel.ts'

const random = new Random(3)
const randomFloats = (count: number) => Float32Array.from({ length: count }, () => random.next() - 0.5)

test('a quantized matrix product is close to the exact one, and independent of other rows', () => {
  for (const [m, k, n] of [
    [1, 2, 16],
    [5, 8, 48],
    [12, 34, 16],
  ] as const) {
    const kernel = new Kernel()
    const products = new Products(kernel, 12, 48)
    const [a, b, bias] = [randomFloats(m * k), randomFloats(k * n), randomFloats(n)]
    const [from, into, alone] = [kernel.allocate(m * k), kernel.allocate(m * n), kernel.allocate(n)]
    const matrix = products.matrix(b, k, n, bias)
    kernel.floats(from, m * k).set(a)
    kernel.floats(alone, n).fill(1)
    products.multiply(from, matrix, into, m)
    products.multiply(from, matrix, alone, 1, true)
    const c = kernel.floats(into, m * n)
    for (let i = 0; i < m; i++)
      for (let j = 0; j < n; j++) {
        let sum = bias[j] ?? 0
        for (let x = 0; x < k; x++) sum += (a[i * k + x] ?? 0) * (b[x * n + j] ?? 0)
        expect(c[i * n + j]).toBeCloseTo(sum, 3)
      }
    for (const [j, value] of kernel.floats(alone, n).entries()) expect(value).toBeCloseTo(1 + (c[j] ?? 0), 5)
  }
})

test('no product overflows 32 bits, even if all numbers are equal', () => {
  const kernel = new Kernel()
  const [k, n] = [1536, 16]
  const products = new Products(kernel, 2, k)
  const [from, into] = [kernel.allocate(k), kernel.allocate(n)]
  const matrix = products.matrix(new Float32Array(k * n).fill(-3), k, n)
  kernel.floats(from, k).fill(7)
  products.multiply(from, matrix, into, 1)
  for (const value of kernel.floats(into, n)) expect(value / (-3 * 7 * k)).toBeCloseTo(1, 2)
})

test('any number of rows is gathered and scattered', () => {
  const kernel = new Kernel()
  for (const count of [0, 1, 4, 7]) {
    const [x, y] = [randomFloats(count * 24), randomFloats(24)]
    const [xAt, yAt] = [kernel.allocate(count * 24), kernel.allocate(24)]
    const terms = new Terms(kernel, count)
    kernel.floats(xAt, count * 24).set(x)
    kernel.floats(yAt, 24).set(y)
    terms.clear()
    for (let row = 0; row < count; row++) terms.add(xAt + row * 96, row - 2)
    terms.gather(yAt, 96)
    const sums = y.map((value, i) =>
      x.reduce((sum, term, at) => (at % 24 === i ? sum + term * ((at - i) / 24 - 2) : sum), value),
    )
    for (const [i, value] of kernel.floats(yAt, 24).entries()) expect(value).toBeCloseTo(sums[i] ?? 0, 4)
    terms.clear()
    for (let row = 0; row < count; row++) terms.addStep(xAt + row * 96, row, 0.5)
    terms.scatter(yAt, 96)
    for (const [at, value] of kernel.floats(xAt, count * 24).entries())
      expect(value).toBeCloseTo(0.5 * (x[at] ?? 0) + Math.floor(at / 24) * (sums[at % 24] ?? 0), 3)
  }
})

test('the dot product of two rows', () => {
  const kernel = new Kernel()
  const [x, y] = [randomFloats(24), randomFloats(24)]
  const [xAt, yAt] = [kernel.allocate(24), kernel.allocate(24)]
  kernel.floats(xAt, 24).set(x)
  kernel.floats(yAt, 24).set(y)
  const sum = x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  expect(kernel.loops.dot(xAt, yAt, 96)).toBeCloseTo(sum, 5)
})

test('memory grows without losing its content', () => {
  const kernel = new Kernel()
  const first = kernel.allocate(4)
  kernel.floats(first, 4).set([1, 2, 3, 4])
  kernel.allocate(2 ** 20)
  expect([...kernel.floats(first, 4)]).toEqual([1, 2, 3, 4])
})
