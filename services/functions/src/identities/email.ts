export interface AccountName {
  readonly project: string
  readonly name: string
}

const suffix = '.iam.gserviceaccount.com'

export const emailOf = ({ project, name }: AccountName) => `${name}@${project}${suffix}`

export const isAccountName = (name: string) => /^[a-z]([a-z\d-]{0,61}[a-z\d])?$/.test(name)

/** Undefined if it is not the address of a service account. */
export function accountOf(email: string): AccountName | undefined {
  const [, name, project] =
    /^([a-z][a-z\d-]{0,62})@([a-z\d][a-z\d.-]{0,62})\.iam\.gserviceaccount\.com$/.exec(email) ?? []
  return name === undefined || project === undefined ? undefined : { project, name }
}
