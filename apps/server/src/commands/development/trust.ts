import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { print, UsageError } from '@icosa/module'
import type { Command } from '../../command.ts'
import { authorityFile } from '../../dev/instance.ts'

export const trust: Command = {
  name: 'trust',
  usage: 'trust',
  summary: 'Show how to make programs trust the certificate of `icosa dev --tls`.',
  flags: {},
  audited: false,
  async run({ config }) {
    const file = resolve(authorityFile(config.dataDirectory))
    await access(file).catch(() => {
      throw new UsageError('There is no certificate yet: `icosa dev --tls` creates one.')
    })
    print(`The authority's certificate is ${file}. It signs for this machine only.\n`)
    print(`  Node       export NODE_EXTRA_CA_CERTS=${file}`)
    print(`  curl       curl --cacert ${file} ...`)
    print(`  Python     export REQUESTS_CA_BUNDLE=${file} SSL_CERT_FILE=${file}`)
    print(`  AWS, boto3 export AWS_CA_BUNDLE=${file}`)
    print(`  Go         export SSL_CERT_FILE=${file}`)
    print(`  az         export REQUESTS_CA_BUNDLE=${file}`)
    print(
      `  Java       keytool -importcert -noprompt -alias icosa -file ${file} -keystore icosa.jks -storepass changeit`,
    )
    print('             java -Djavax.net.ssl.trustStore=icosa.jks -Djavax.net.ssl.trustStorePassword=changeit ...')
    print(`  Debian     sudo cp ${file} /usr/local/share/ca-certificates/icosa.crt && sudo update-ca-certificates`)
    print(`  macOS      security add-trusted-cert -k ~/Library/Keychains/login.keychain-db ${file}`)
  },
}
