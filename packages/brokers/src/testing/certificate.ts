import { execFileSync } from 'node:child_process'

/** Self-signed certificate for 127.0.0.1, preceded by its key. */
export function selfSigned(): { readonly pem: string; readonly certificate: string } {
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', '-']
  const names = ['-subj', '/CN=broker', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
  const pem = execFileSync('openssl', ['req', '-x509', ...newKey, ...names], { encoding: 'utf8', stdio: 'pipe' })
  return { pem, certificate: pem.slice(pem.indexOf('-----BEGIN CERTIFICATE')) }
}
