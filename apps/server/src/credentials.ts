import { type Authentication, developmentSigningId } from '@icosa/kernel'

/** Credentials by the names that requests and SDKs use. */
export function credentialsOf(
  authentication: Authentication,
  key: string,
  signing: { readonly id: string; readonly secret: string } = { id: developmentSigningId, secret: key },
): Record<string, string> {
  switch (authentication.kind) {
    case 'none':
      return {}
    case 'key':
      return { header: authentication.header, key }
    case 'bearer':
      return { header: 'Authorization', key: `Bearer ${key}` }
    case 'basic':
      return { header: 'Authorization', key: `Basic ${Buffer.from(`dev:${key}`).toString('base64')}` }
    case 'signature':
      return { accessKeyId: signing.id, secretAccessKey: signing.secret, region: authentication.region }
  }
}
