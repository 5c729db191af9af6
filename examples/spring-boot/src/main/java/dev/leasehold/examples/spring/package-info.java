/** An application that runs on as many instances as you like. */
package dev.leasehold.examples.spring;
