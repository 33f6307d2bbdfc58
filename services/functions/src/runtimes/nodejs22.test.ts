import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startFunctions } from '../testing/app.ts'

const version: Readonly<Record<string, string>> = {
  'index.js': 'exports.hello = (request, response) => response.send(process.version)\n',
}

// Downloads 50 MB.
test.skipIf(!process.env.NIGHTLY)(
  'with a configured Node 22, functions of that runtime are offered and run in it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'icosa-node22-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    chmodSync(folder, 0o755) // the sandbox's user reads it
    execFileSync('npm', ['pack', '--silent', `node-linux-${process.arch}@22`], { cwd: folder, stdio: 'ignore' })
    const [tarball = ''] = readdirSync(folder)
    execFileSync('tar', ['-xzf', tarball, 'package/bin/node'], { cwd: folder })

    await using without = await startFunctions({ nodejs22: '/nowhere/node' })
    await using app = await startFunctions({ nodejs22: join(folder, 'package/bin/node') })
    const params = { project: 'shop', location: 'europe-north1' }
    const runtimesOf = async (node: typeof app) =>
      (await (await node.tenant()).listRuntimes({ params })).body.runtimes.map(({ name }) => name)
    expect(await runtimesOf(without)).not.toContain('nodejs22')
    expect(await runtimesOf(app)).toContain('nodejs22')

    const acme = await app.tenant()
    const operation = await acme.deploy('old-node', version, { runtime: 'nodejs22' })
    expect(operation.error).toBeUndefined()
    expect(operation.response).toMatchObject({ state: 'ACTIVE', buildConfig: { runtime: 'nodejs22' } })
    const { uri } = (operation.response as { readonly serviceConfig: { readonly uri: string } }).serviceConfig
    const response = await fetch(uri, { headers: { authorization: `Bearer ${acme.key}` } })
    expect(await response.text()).toMatch(/^v22\./)
  },
)
