import { behavesAsTheService } from '../behaviour.mjs';
import { reference } from '../targets.mjs';

behavesAsTheService('The reference service', reference);
