/** JSON of `ProvidedServer`. */
export const SERVER_VARIABLE = 'INCASSA_MUTANT_SERVER';
/** JSON of a name and a text: the statement of that name gets this text. */
export const STATEMENT_VARIABLE = 'INCASSA_MUTANT_STATEMENT';
/** JSON of a path and a text: the file gets this text. */
export const SOURCE_VARIABLE = 'INCASSA_MUTANT_SOURCE';
