import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { freePort } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openMasterKeys } from '../../apps/server/src/master-key/tokens.ts'
import { platformSettings } from '../../apps/server/src/settings.ts'
import { old, openSecrets } from '../../apps/server/src/testing/secrets.ts'
import { startModules } from '../../services/hardware-security-modules/src/testing/app.ts'

const client = '/usr/lib/x86_64-linux-gnu/pkcs11/p11-kit-client.so'

test('the master key can be in a module of another Icosa, over p11-kit and TLS', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'icosa-vault-'))
  const at = (name: string) => join(folder, name)
  const files = ['-keyout', at('tls.key'), '-out', at('tls.crt')]
  const created = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-x509', '-days', '2']
  execFileSync('openssl', [...created, '-subj', '/CN=localhost', ...files], { stdio: 'ignore' })
  const port = await freePort()
  await using other = await startModules({
    ...{ remotePort: port, remoteCertificate: at('tls.crt'), remoteKey: at('tls.key') },
  })
  const module = await other.open('elsewhere')
  const params = { moduleId: module.id, keyName: 'master' }
  await module.keys.make({ params, body: { type: 'RSA', operations: ['encrypt', 'decrypt'] } })
  const { pin } = (await module.keys.replacePin({ params: { moduleId: module.id } })).body
  writeFileSync(at('pin'), pin)

  // Tunnel between p11-kit's client and the port: TLS, with the module in its server name.
  const tunnel = createServer((near) => {
    const far = connect({
      port,
      host: '127.0.0.1',
      servername: module.id,
      ca: readFileSync(at('tls.crt')),
      checkServerIdentity: () => undefined,
    })
    near.pipe(far).pipe(near)
    for (const end of [near, far]) end.on('error', () => [near, far].map((one) => one.destroy()))
  })
  await new Promise<void>((resolve) => tunnel.listen(at('socket'), resolve))
  try {
    await using secrets = await openSecrets()
    const given = async () => {
      const { masterKeys = [], masterKeyEnvironment } = platformSettings.read({
        ICOSA_MASTER_KEY: `pkcs11:token=elsewhere;object=master?module-path=${client}&pin-source=file:${at('pin')}`,
        ICOSA_MASTER_KEY_ENVIRONMENT: JSON.stringify({ P11_KIT_SERVER_ADDRESS: `unix:path=${at('socket')}` }),
      })
      return openMasterKeys(secrets.database, masterKeys, masterKeyEnvironment)
    }
    const [first = old] = await given()
    const vault = await secrets.open(first)
    await secrets.add(vault, 3)
    const secretsBefore = await secrets.read(vault)
    expect(await secrets.read(await secrets.open(...(await given())))).toEqual(secretsBefore)
    const uses = (await module.keys.listUses({ params: { moduleId: module.id } })).body.value
    expect(uses.filter(({ operation }) => operation === 'decrypt')).toMatchObject([
      { key: 'master', caller: 'pin:pkcs11', outcome: 'done' },
      { key: 'master', caller: 'pin:pkcs11', outcome: 'done' },
    ])

    await module.keys.update({ params, body: { access: [] } })
    await expect(given()).rejects.toThrow("The key 'master' of the token 'elsewhere' cannot decrypt")
    await module.keys.update({ params, body: { access: [{ caller: 'pin', operations: ['decrypt'] }] } })
    expect(await given()).toEqual([first])
  } finally {
    tunnel.close()
  }
}, 240_000)
