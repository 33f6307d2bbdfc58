/** The parameters of a path below an account. */
export interface AccountParams {
  readonly userID: string
  readonly 'monetary-accountID': string
}

export const placeOf = (params: AccountParams) => ({ user: params.userID, account: params['monetary-accountID'] })
