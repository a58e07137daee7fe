/** Id of the section "Crea nuovi wallet", where /wallets/create leads. */
export const CREATE_WALLETS_ID = 'crea-wallet';
