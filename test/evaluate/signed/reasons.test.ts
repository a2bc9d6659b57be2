/** Every insecure reply has a reason, and the reason is true: held against the records themselves. */
import t from 'tap';
import { fieldsIn } from './fields.ts';
