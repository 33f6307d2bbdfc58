import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { withPlatform } from '../node.ts'
import { allServices } from '../services.ts'
import { operatorOf } from '../testing/operator.ts'

test('an operator lists, limits, exports and deletes a tenant, and finds it in the audit log', async () => {
  await using testDatabase = await createTestDatabase(withPlatform(await allServices(), 'system'))
  await using operator = await operatorOf(testDatabase.url)
  const node = await operator.start('serve', '--services', 'resource-groups,podcast-directory,job-scheduler')
  const key = (await operator.icosa('keys', 'create', '--tenant', 'acme')).split('\n')[0] ?? ''
  const list = () =>
    fetch(`${node.url}/podcast-directory/podcasts/submit`, { method: 'POST', headers: { 'x-listenapi-key': key } })
  expect((await list()).status).toBeLessThan(500)
  const [token] = (await operator.icosa('token', '--tenant', 'acme', '--name', 'hana@example.com')).split('\n')
  const byToken = () =>
    fetch(
      `${node.url}/job-scheduler/subscriptions/s/providers/Vendor.Scheduler/jobCollections?api-version=2016-03-01`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    )
  expect((await byToken()).status).toBe(404)

  expect(await operator.icosa('tenants', 'list')).toMatch(/acme .* 1 +0/)
  expect(await operator.icosa('tenants', 'limits', 'acme', 'backup', 'resources', '3')).toMatch(/backup +resources +3/)
  const out = join(tmpdir(), `icosa-export-${process.pid}`)
  expect(await operator.icosa('tenants', 'export', 'acme', '--out', out)).toContain('Sealed secrets are left out')
  expect(await readdir(join(out, 'rows'))).toContain('icosa.credentials.jsonl')
  expect(JSON.parse((await readFile(join(out, 'rows/platform.limits.jsonl'), 'utf8')).trim())).toMatchObject({
    amount: 3,
  })
  await rm(out, { recursive: true })
  expect(await operator.icosa('tenants', 'limits', 'acme', 'backup', 'bytes', '1000')).toMatch(/backup +bytes +1000/)
  await expect(operator.icosa('tenants', 'limits', 'acme', 'backup', 'octets', '1')).rejects.toThrow('bytes NUMBER')

  await expect(operator.icosa('tenants', 'delete', 'acme')).rejects.toThrow('add --yes')
  expect(await operator.icosa('tenants', 'delete', 'acme', '--yes')).toMatch(/Deleted acme: \d+ rows/)
  expect(await operator.icosa('tenants', 'list')).not.toContain('acme')
  expect((await list()).status).toBe(401)
  expect((await byToken()).status, 'a token of a deleted credential').toBe(401)
  expect(await operator.icosa('audit', 'list', '--tenant', 'acme')).toMatch(/operator:tenants delete +200 +acme/)
  const log = await operator.icosa('audit', 'export')
  expect(log).not.toMatch(/hana@example|127\.0\.0\.1/)
  expect(log).toMatch(/"subject":"acme".*"operation":"token","resource":""/)
  expect(await operator.icosa('audit', 'verify')).toContain('Nothing was changed')
})

test('an operator takes a tenant from one installation to another, where its keys work', async () => {
  const services = withPlatform(await allServices(), 'system')
  await using stack = new AsyncDisposableStack()
  const operator = async (url: string, masterKey: number, exportKey?: string) => {
    const key = Buffer.alloc(32, masterKey).toString('base64')
    return stack.use(
      await operatorOf(url, { ICOSA_MASTER_KEY: key, ...(exportKey !== undefined && { ICOSA_EXPORT_KEY: exportKey }) }),
    )
  }
  const [old, other] = [stack.use(await createTestDatabase(services)), stack.use(await createTestDatabase(services))]
  const folder = await mkdtemp(join(tmpdir(), 'icosa-export-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const out = join(folder, 'acme')
  const from = await operator(old.url, 7)
  const [key = ''] = (await from.icosa('keys', 'create', '--tenant', 'acme')).split('\n')
  const [exportKey] = (await from.icosa('tenants', 'export', 'acme', '--out', out, '--with-secrets')).split('\n')

  const [keyless, mistaken] = [await operator(other.url, 8), await operator(other.url, 8, 'icosa_x')]
  await expect(keyless.icosa('tenants', 'import', out)).rejects.toThrow('Set ICOSA_EXPORT_KEY')
  await expect(mistaken.icosa('tenants', 'import', out)).rejects.toThrow('not the key of an export')
  const to = await operator(other.url, 8, exportKey)
  await expect(to.icosa('tenants', 'import', folder)).rejects.toThrow('There is no tenant.json')
  expect(await to.icosa('tenants', 'import', out)).toMatch(/Imported acme: \d+ rows, 0 blobs/)
  await expect(to.icosa('tenants', 'import', out)).rejects.toThrow('already')

  const node = await to.start('serve', '--services', 'braille-translation')
  const response = await fetch(`${node.url}/braille-translation/translate/braille?text=hi`, {
    headers: { 'x-vendor-api-secret': key },
  })
  expect(response.status).toBe(200)
})
