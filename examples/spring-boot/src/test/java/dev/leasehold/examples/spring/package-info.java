/** Starts the example as its users do. */
package dev.leasehold.examples.spring;
