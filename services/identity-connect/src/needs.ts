import { missing, type Need, reachable } from '@icosa/module'

export const mailServer: Need<{ readonly smtpUrl: string | undefined }> = {
  name: 'mail server',
  purpose: 'sends invitations and links; without it they are files in the data folder',
  isOptional: true,
  remedy: 'Set ICOSA_SMTP_URL to the address of a mail server, such as smtp://user:password@mail.example.com:587.',
  async check({ smtpUrl }) {
    if (smtpUrl === undefined) return missing('ICOSA_SMTP_URL is not set')
    const { protocol, hostname, port } = new URL(smtpUrl)
    return reachable(hostname, Number(port || (protocol === 'smtps:' ? 465 : 587)))
  },
}
